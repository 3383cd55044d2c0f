import { Module } from "@nestjs/common";
import { APP_FILTER, APP_PIPE } from "@nestjs/core";
import { TypeOrmModule } from "@nestjs/typeorm";
import { LoggerModule } from "nestjs-pino";
import { connections, env } from "../common/env.js";
import { requestLog } from "../common/http.js";
import { CardsModule } from "./cards/cards.module.js";
import { entities, schema } from "./database/entities.js";
import { ProblemFilter } from "./http/problem.filter.js";
import { createValidationPipe } from "./http/validation.js";
import { KycModule } from "./kyc/kyc.module.js";

/** The service on NestJS. */
@Module({
  imports: [
    LoggerModule.forRoot({ pinoHttp: requestLog, forRoutes: ["{*path}"] }),
    TypeOrmModule.forRoot({
      type: "postgres",
      url: env.databaseUrl,
      schema,
      entities,
      poolSize: connections.database,
    }),
    CardsModule,
    KycModule,
  ],
  providers: [
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_PIPE, useFactory: createValidationPipe },
  ],
})
export class AppModule {}
