"""The handles: what a program holds of an object in Redis, one line a method.

`AsyncHandle` is what all objects share, `AsyncCollectionHandle` what all that hold many values
do. A handle knows its names, its codec and its client's context; what to send is in
`protocol/objects`.
"""
