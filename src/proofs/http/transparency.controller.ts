import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { refuse } from '../../kernel/rejection.js';
import { Public } from '../../http/access.js';
import { PUBLIC_DOCUMENT } from '../../http/caching.js';
import { IntegerField } from '../../http/fields.js';
import { RawResponse, RespondsWith } from '../../http/responses.js';
import { ProofReader } from '../proof-reader.js';
import { originOf, type SignedCheckpoint } from '../tree-rows.js';
import { ConsistencyResponse, TransparencyKeysResponse } from './proofs.response.js';

class ConsistencyQuery {
  @IntegerField({ min: 1, max: Number.MAX_SAFE_INTEGER, default: 1, description: 'Size of the older tree' })
  first?: number;

  @IntegerField({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    description: 'Size of the newer tree; default that of the last checkpoint',
  })
  second?: number;
}

const CHECKPOINT =
  'kyc.example.org/log/1\n1024\nq7mCw0Y0VnYl8B5T8oP1vQmWm2Qk1o9s0xv4a7l3c5E=\n\n— kyc.example.org/log/1 5oGQkg1x…\n';

/** What anyone may know of the log: the tree that was signed, and that it only grew. */
@ApiTags('Transparency')
@Controller('transparency')
export class TransparencyController {
  constructor(private readonly reader: ProofReader) {}

  @Get('checkpoint')
  @Public()
  @RespondsWith(200, {
    summary: 'The last signed checkpoint of the log (C2SP tlog-checkpoint), as text',
    content: [{ type: 'text/plain', example: CHECKPOINT }],
    refuses: ['NOT_FOUND'],
  })
  async getCheckpoint(): Promise<RawResponse> {
    const { note } = await this.latest();
    return new RawResponse(200, note, {}, 'text/plain; charset=utf-8');
  }

  @Get('consistency')
  @Public()
  @RespondsWith(200, {
    summary: 'Proof that a newer tree only adds to an older one',
    type: ConsistencyResponse,
    refuses: ['NOT_FOUND'],
  })
  async getConsistencyProof(@Query() { first = 1, second: wanted }: ConsistencyQuery): Promise<ConsistencyResponse> {
    const latest = await this.latest();
    const second = wanted ?? latest.size;
    // What was not signed yet is no one's business.
    if (first > second || second > latest.size) throw refuse('not_found');
    const hashes = await this.reader.consistency(latest.epoch, first, second);
    return { origin: originOf(latest), first, second, hashes: hashes.map((hash) => hash.toString('base64')) };
  }

  @Get('keys')
  @Public()
  @Header('Cache-Control', PUBLIC_DOCUMENT)
  @RespondsWith(200, { summary: 'The keys that verify checkpoints', type: TransparencyKeysResponse })
  async getCheckpointKeys(): Promise<TransparencyKeysResponse> {
    return { keys: [...(await this.reader.verifierKeys())] };
  }

  private async latest(): Promise<SignedCheckpoint> {
    const checkpoint = await this.reader.checkpoint();
    if (checkpoint === undefined) throw refuse('not_found');
    return checkpoint;
  }
}
