import { type CanActivate, type ExecutionContext, Injectable } from "@nestjs/common";
import { Reflector } from "@nestjs/core";
import { InjectRepository } from "@nestjs/typeorm";
import { IsNull, Repository } from "typeorm";
import { Problem } from "../../common/problem.js";
import { hashOf } from "../../common/seal.js";
import { ApiKeyEntity } from "../database/entities.js";
import { type CallersRequest, RequireScope } from "./caller.js";

const bearer = /^Bearer (\S+)$/;

/** Lets a request in when its key is known and has the scope that the route asks for. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallersRequest>();
    const key = bearer.exec(request.headers.authorization ?? "")?.[1];
    const known = key && (await this.keys.findOneBy({ hash: hashOf(key), revokedAt: IsNull() }));
    if (!known) throw new Problem("UNAUTHENTICATED");
    const scope = this.reflector.get(RequireScope, context.getHandler());
    if (!known.scopes.includes(scope)) throw new Problem("SCOPE_MISSING");
    request.caller = known;
    return true;
  }
}
