import { Module } from "@nestjs/common";
import { TypeOrmModule } from "@nestjs/typeorm";
import { ApiKeyEntity, UserEntity } from "../database/entities.js";
import { ProviderModule } from "../provider/provider.module.js";
import { CardsController } from "./cards.controller.js";
import { CardsService } from "./cards.service.js";

@Module({
  imports: [TypeOrmModule.forFeature([ApiKeyEntity, UserEntity]), ProviderModule],
  controllers: [CardsController],
  providers: [CardsService],
})
export class CardsModule {}
