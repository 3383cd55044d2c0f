import { Injectable } from "@nestjs/common";
import { InjectRepository } from "@nestjs/typeorm";
import { Repository } from "typeorm";
import { Problem } from "../../common/problem.js";
import type { Caller } from "../../common/submit.js";
import { UserEntity } from "../database/entities.js";
import { ProviderService } from "../provider/provider.service.js";
import type { CardsQuery } from "./cards.dto.js";

@Injectable()
export class CardsService {
  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly provider: ProviderService,
  ) {}

  async list({ platformId }: Caller, query: CardsQuery) {
    const { memberId, email, page, pageSize } = query;
    const name = memberId === undefined ? { email: email?.toLowerCase() } : { memberId };
    const user = await this.users.findOneBy({ platformId, ...name });
    if (!user) throw new Problem("USER_NOT_FOUND");
    const { items, total } = await this.provider.cards(user.externalUserId, query);
    return { items, page, pageSize, total, totalPages: Math.ceil(total / pageSize) };
  }
}
