import { ApiProperty } from '@nestjs/swagger';
import { type ShownActor, UNNAMED_ACTORS } from '../kernel/audit-actors.js';

/** Who did it, by id. Names are asked of the account's members and keys. */
export class ActorResponse implements ShownActor {
  @ApiProperty({ enum: ['api_key', 'member', ...UNNAMED_ACTORS] }) type!: ShownActor['type'];
  @ApiProperty({ required: false, description: 'The id of the member; absent of other actors' }) member_id?: string;
  @ApiProperty({ type: String, nullable: true, description: 'The id of the API key; null of other actors' })
  key_id!: string | null;
}
