import { Injectable } from '@nestjs/common';
import { type AnsweredRequest, RequestTrail } from '../http/request-trail.js';
import { AccessLog } from './access-log.js';
import { SecurityLog } from './security-log.js';

/** Tells both logs of each answered request. */
@Injectable()
export class AnsweredRequests extends RequestTrail {
  constructor(
    private readonly accesses: AccessLog,
    private readonly security: SecurityLog,
  ) {
    super();
  }

  override note(request: AnsweredRequest): void {
    this.accesses.note(request);
    this.security.note(request);
  }
}
