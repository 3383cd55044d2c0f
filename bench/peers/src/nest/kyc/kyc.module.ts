import { Module } from "@nestjs/common";
import { TypeOrmModule } from "@nestjs/typeorm";
import { ApiKeyEntity } from "../database/entities.js";
import { ProviderModule } from "../provider/provider.module.js";
import { KycController } from "./kyc.controller.js";
import { KycService } from "./kyc.service.js";
import { RecordsService } from "./records.service.js";

@Module({
  imports: [TypeOrmModule.forFeature([ApiKeyEntity]), ProviderModule],
  controllers: [KycController],
  providers: [KycService, RecordsService],
})
export class KycModule {}
