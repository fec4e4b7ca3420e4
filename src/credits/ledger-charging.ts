import { Injectable } from '@nestjs/common';
import { type ChargedResponse, type ChargedCall, Charging } from '../kernel/charging.js';
import { EffectCharging } from './effect-charging.js';
import { LookUpCharging } from './look-up-charging.js';

/** Every charged operation runs through this handler. */
@Injectable()
export class LedgerCharging extends Charging {
  constructor(
    private readonly lookUps: LookUpCharging,
    private readonly effects: EffectCharging,
  ) {
    super();
  }

  charge<Result>(call: ChargedCall<Result>): Promise<ChargedResponse> {
    return call.kind === 'look_up' ? this.lookUps.charge(call) : this.effects.charge(call);
  }
}
