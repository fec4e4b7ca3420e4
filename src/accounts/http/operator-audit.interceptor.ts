import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type Observable } from 'rxjs';
import { isTenantId } from '../../kernel/ids.js';
import '../../platform/http/request.js';
import { OperatorAudit } from '../operator-audit.js';

const templateOf = (request: FastifyRequest): string =>
  `${request.method} ${(request.routeOptions.url ?? '').replaceAll(/:([a-z_]+)/g, '{$1}')}`;

/**
 * Records every request of an operator that its role lets through, reads included, before anything comes of it: an action that
 * could not be recorded does not happen. Global, so that no path for operators can be forgotten.
 */
@Injectable()
export class OperatorAuditInterceptor implements NestInterceptor {
  constructor(private readonly audit: OperatorAudit) {}

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = execution
      .switchToHttp()
      .getRequest<FastifyRequest<{ Params: Record<string, string> | undefined }>>();
    const principal = request.context?.principal;
    if (principal?.kind !== 'operator') return next.handle();
    const account = request.params?.['id'] ?? '';
    await this.audit.record({
      operatorHash: principal.subjectHash,
      roles: [...principal.roles],
      requestId: request.id,
      action: templateOf(request),
      tenantId: isTenantId(account) ? account : null,
    });
    return next.handle();
  }
}
