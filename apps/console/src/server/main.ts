import { serve } from "@hono/node-server";
import { Hono } from "hono";

serve({ fetch: new Hono().fetch, hostname: "127.0.0.1", port: 3001 });
