package com.example.orders;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RedissonClient;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.session.Session;
import org.springframework.session.SessionRepository;

/** Obeys lines of standard input, "VERB QUEUE COUNT", one line of answer each; ends with it. */
@SpringBootApplication
public class OrdersApplication implements CommandLineRunner {
    private final RedissonClient redisson;
    private final ApplicationContext context;

    public OrdersApplication(RedissonClient redisson, ApplicationContext context) {
        this.redisson = redisson;
        this.context = context;
    }

    public static void main(String[] arguments) {
        SpringApplication.run(OrdersApplication.class, arguments).close();
    }

    @Override
    public void run(String... arguments) throws Exception {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            System.out.println(obey(words[0], words[1], Integer.parseInt(words[2])));
        }
    }

    private String obey(String verb, String name, int count) {
        if (verb.equals("cached")) {
            Prices prices = context.getBean(Prices.class);
            return "cached " + prices.price(name) + ", " + prices.price(name, count) + ", "
                    + prices.all() + ", " + prices.missing("no " + name) + ", "
                    + prices.limit(name);
        }
        if (verb.equals("session")) {
            return "session " + newSession(context.getBean(SessionRepository.class), name, count);
        }
        RBlockingQueue<OrderTask> queue = redisson.getBlockingQueue(name);
        RDelayedQueue<OrderTask> delayed = redisson.getDelayedQueue(queue);
        int done = 0;
        try {
            for (int n = 0; n < count; n++) {
                OrderTask task = Tasks.task(n);
                switch (verb) {
                    case "offer":
                        delayed.offer(task, 1, TimeUnit.HOURS);
                        break;
                    case "offer-now":
                        delayed.offer(task, 5 * n, TimeUnit.MILLISECONDS);
                        break;
                    case "remove":
                        if (!delayed.contains(task) || !delayed.remove(task)) {
                            return "not there: " + task;
                        }
                        break;
                    case "take":
                        OrderTask taken = queue.poll(30, TimeUnit.SECONDS);
                        if (!Objects.equals(taken, task)) {
                            return "not equal: " + taken + " and " + task;
                        }
                        break;
                    default:
                        return "no such verb: " + verb;
                }
                done++;
            }
        } catch (Exception error) {
            return verb + " " + done + ": " + error;
        }
        return verb + " " + done;
    }

    private static <S extends Session> String newSession(
            SessionRepository<S> sessions, String name, int count) {
        S session = sessions.createSession();
        session.setAttribute("user", name);
        session.setAttribute("visits", count);
        sessions.save(session);
        return session.getId();
    }
}
