// The built service with one more path, POST /bench/effect: a charged effect that does nothing. It appends the deduction and the
// audit entry, and settles in groups, as every effect does. Peers of benchmarks; it is no part of the product.
//   DIST=dist node bench/stage/service-with-effect.mjs
import 'reflect-metadata';
import { join, resolve } from 'node:path';
import { Controller, Inject, Post } from '@nestjs/common';

const load = (path) => import(join(resolve(process.env.DIST ?? 'dist'), path));
const { AppModule } = await load('src/app.module.js');
const { Charging } = await load('src/kernel/charging.js');
const { Context, RequiresToken } = await load('src/http/access.js');
const { charged, RespondsWith } = await load('src/http/responses.js');

class EffectController {
  constructor(charging) {
    this.charging = charging;
  }

  async run(context) {
    const answer = await this.charging.charge({
      tenantId: context.principal.tenantId,
      operation: 'issue_credential',
      access: context,
      keyed: context.keyed,
      kind: 'effect',
      run: () => Promise.resolve(),
      conclude: () => ({ action: 'credential_issued', result: 'ok', status: 200, body: {} }),
    });
    return charged(answer);
  }
}

const method = Object.getOwnPropertyDescriptor(EffectController.prototype, 'run');
for (const decorate of [
  Post('effect'),
  RequiresToken('credentials:issue'),
  RespondsWith(200, { summary: 'A charged effect that does nothing', type: Object, charged: 'issue_credential' }),
])
  decorate(EffectController.prototype, 'run', method);
Context()(EffectController.prototype, 'run', 0);
Inject(Charging)(EffectController, undefined, 0);
Controller('bench')(EffectController);
Reflect.defineMetadata(
  'controllers',
  [...(Reflect.getMetadata('controllers', AppModule) ?? []), EffectController],
  AppModule,
);

await load('src/main.entry.js');
