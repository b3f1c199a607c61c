"""The bodies, a family for each kind of class; none knows another, the registry knows them all."""
