import "reflect-metadata";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { McpStrategy, StdioTransport } from "@rekog/mcp-nest";
import { Notes } from "./notes.js";

const strategy = new McpStrategy({ name: "notes", version: "1.0.0", transports: [new StdioTransport()] });

@Module({ controllers: [Notes] })
class App {}

const app = await NestFactory.createMicroservice(App, { strategy, logger: false });
await app.listen();
