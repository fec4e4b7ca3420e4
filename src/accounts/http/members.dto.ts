import { ApiProperty } from '@nestjs/swagger';
import { EmailField, EnumField, TextField } from '../../http/fields.js';
import { type Member } from '../domain/members.js';
import { MEMBER_ROLES, type MemberRole } from '../domain/member-roles.js';

export class InviteMemberBody {
  @EmailField({ description: 'The invitation goes there; kept encrypted' })
  email!: string;

  @TextField({ max: 100, description: 'Kept encrypted', example: 'Vera Officer' })
  name!: string;

  @EnumField(MEMBER_ROLES, { description: 'Given by who has all its rights' })
  role!: MemberRole;
}

/** Absent members stay unchanged. */
export class ChangeMemberBody {
  @TextField({ max: 100, optional: true, description: 'Kept encrypted' })
  name?: string;

  @EnumField(MEMBER_ROLES, { optional: true, description: 'Holds at once, in open sessions too' })
  role?: MemberRole;
}

/** Answers to changes hold no name and no address: one that is kept for its Idempotency-Key would outlive the member. */
export class ChangedMemberResponse {
  @ApiProperty({ example: 'mbr_01hzzzzzzzzzzzzzzzzzzzzzzz' }) member_id!: string;
  @ApiProperty({ enum: MEMBER_ROLES }) role!: MemberRole;
  @ApiProperty({ enum: ['invited', 'active', 'removed'] }) status!: Member['status'];
  @ApiProperty({ type: 'integer', description: 'Passkeys that sign in' }) passkeys!: number;
  @ApiProperty({ format: 'date-time' }) invited_at!: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Until when an invitation may be taken',
  })
  invitation_expires_at!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) joined_at!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'The last use of the console' })
  last_seen_at!: string | null;
}

export class MemberResponse extends ChangedMemberResponse {
  @ApiProperty({ type: String, nullable: true, example: 'Vera Officer', description: 'null of a removed member' })
  name!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'vera@example.org', description: 'null of a removed member' })
  email!: string | null;
}

export class MembersResponse {
  @ApiProperty({ type: [MemberResponse], description: 'In the order of their invitations' }) members!: MemberResponse[];
}
