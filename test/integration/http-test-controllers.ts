import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { type RejectionCode } from '../../src/kernel/contract.js';
import { type Receipt } from '../../src/kernel/charging.js';
import { InvariantViolation } from '../../src/kernel/invariant.js';
import { refuse } from '../../src/kernel/rejection.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { Context, Public, RequiresKey, RequiresRole, RequiresToken } from '../../src/http/access.js';
import { RespondsWith, charged, ShownOnce } from '../../src/http/responses.js';
import { BirthDateField } from '../../src/http/fields/birth-date.js';
import {
  BooleanField,
  EmailField,
  EnumField,
  IntegerField,
  ListField,
  ObjectField,
  PhoneField,
  RangeEdgeField,
  TextField,
  TimestampField,
  UrlField,
} from '../../src/http/fields.js';
import { type BearerPrincipal, type RequestContext, type TenantPrincipal } from '../../src/http/request-context.js';

export class PersonBody {
  @EmailField() email!: string;
  @PhoneField() phone_number!: string;
  @TextField() full_name!: string;
  @BirthDateField() date_of_birth?: string;
  @EnumField(['Tier1', 'Tier2', 'Tier3'], { default: 'Tier1' }) tier = 'Tier1';
  @TimestampField({ optional: true }) kyc_expires_at?: Date;
  @ObjectField({ maxBytes: 16_384, maxDepth: 10 }, { optional: true }) extra_data?: Record<string, unknown>;
  @UrlField({ optional: true }) url?: string;
  @ListField({ of: ['a', 'b'], optional: true }) events?: string[];
  @BooleanField({ optional: true }) enabled?: boolean;
  @IntegerField({ min: 1, max: 10, optional: true }) threshold?: number;
}

class PageQuery {
  @IntegerField({ min: 1, max: 1_000, default: 100 }) limit = 100;
  @RangeEdgeField('end', { optional: true }) end_date?: Date;
}

class PersonAnswer {
  @ApiProperty() email!: string;
}

class NewSecretAnswer {
  @ApiProperty() id!: string;
  @ShownOnce() secret!: string | null;
}

/** What a test makes the operation do, and what it saw. */
export class Scenario {
  operation: (context: RequestContext, body: PersonBody) => unknown = () => ({ ok: true });
  calls = 0;

  run(context: RequestContext, body: PersonBody): unknown {
    this.calls += 1;
    return this.operation(context, body);
  }
}

const RECEIPT: Receipt = { charged: 1, balance: 41, revision: 7n };

@Controller('things')
export class ThingsController {
  constructor(private readonly scenario: Scenario) {}

  @Post()
  @RequiresKey('ingest')
  @RespondsWith(202, { summary: 'Take a thing', type: PersonAnswer })
  take(@Context() context: RequestContext<TenantPrincipal>, @Body() body: PersonBody): unknown {
    return this.scenario.run(context, body);
  }

  @Post('charged')
  @RequiresKey('eligibility')
  @RespondsWith(200, { summary: 'Look a thing up', type: PersonAnswer, charged: 'check_eligibility' })
  async charged(@Context() context: RequestContext<TenantPrincipal>, @Body() body: PersonBody): Promise<unknown> {
    const answer = JSON.stringify(await this.scenario.run(context, body));
    return charged({ status: 200, body: answer, receipt: RECEIPT });
  }

  @Get()
  @RequiresKey('ingest')
  @RespondsWith(200, { summary: 'List things' })
  list(@Query() query: PageQuery, @Context() context: RequestContext<TenantPrincipal>): unknown {
    return {
      limit: query.limit,
      end_date: query.end_date,
      tenant_id: context.principal.tenantId,
      ip: context.ipAddress,
    };
  }

  @Get(':id')
  @RequiresKey('ingest')
  @RespondsWith(200, { summary: 'Read a thing' })
  read(@Param('id') id: string): unknown {
    if (id !== 'known') throw refuse('not_found');
    return { id };
  }

  @Delete(':id')
  @RequiresKey('ingest')
  @RespondsWith(204, { summary: 'Delete a thing' })
  remove(): void {}

  @Post(':id/secrets')
  @RequiresKey('ingest')
  @RespondsWith(201, { summary: 'Make a secret', type: NewSecretAnswer })
  makeSecret(@Context() context: RequestContext<TenantPrincipal>): unknown {
    return this.scenario.run(context, new PersonBody());
  }

  @Get('failing/:with')
  @Public({ perMinute: 1_000_000 })
  @RespondsWith(200, { summary: 'Fail' })
  fail(@Param('with') code: string): unknown {
    if (code === 'unavailable-part') throw new Unavailable('postgres', { cause: new Error('maria@example.org') });
    if (code === 'invariant') throw new InvariantViolation('maria@example.org is secret');
    if (code === 'surprise') throw new Error('maria@example.org is secret');
    throw refuse(code as RejectionCode);
  }
}

/** As billing paths are: the same with and without the version. */
@Controller(['twice', 'api/v1/twice'])
export class TwiceController {
  constructor(private readonly scenario: Scenario) {}

  @Post()
  @RequiresKey('ingest')
  @RespondsWith(200, { summary: 'Answer under two paths' })
  answer(@Context() context: RequestContext<TenantPrincipal>): unknown {
    return this.scenario.run(context, new PersonBody());
  }
}

@Controller()
export class OtherController {
  constructor(private readonly scenario: Scenario) {}

  @Post('issue')
  @RequiresToken('credentials:issue')
  @RespondsWith(200, { summary: 'Issue' })
  issue(@Context() context: RequestContext<BearerPrincipal>): unknown {
    return { tenant_id: context.principal.tenantId };
  }

  @Post('admin/things')
  @RequiresRole('admin')
  @RespondsWith(201, { summary: 'Administer' })
  administer(@Context() context: RequestContext): unknown {
    return this.scenario.run(context, new PersonBody());
  }

  @Get('open')
  @Public()
  @RespondsWith(200, { summary: 'Open to all' })
  open(): unknown {
    return { open: true };
  }

  @Post('dev/token')
  @Public({ perMinute: 6_000 })
  @RespondsWith(200, { summary: 'Token' })
  token(): unknown {
    return { access_token: 'x' };
  }
}
