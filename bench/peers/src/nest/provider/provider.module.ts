import { Agent } from "node:http";
import { HttpModule } from "@nestjs/axios";
import { Module } from "@nestjs/common";
import { connections, env, providerTimeout } from "../../common/env.js";
import { ProviderService } from "./provider.service.js";

@Module({
  imports: [
    HttpModule.register({
      baseURL: env.providerUrl,
      timeout: providerTimeout,
      httpAgent: new Agent({ keepAlive: true, maxSockets: connections.provider }),
      maxRedirects: 0,
      validateStatus: () => true,
    }),
  ],
  providers: [ProviderService],
  exports: [ProviderService],
})
export class ProviderModule {}
