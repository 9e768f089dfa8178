import { z } from 'zod/mini'
import { memberRoleSchema } from './member.ts'
import { createPasswordsMatchCheck, newPasswordSchema, repeatedPasswordSchema } from './new-password-form.ts'
import { firstNameSchema, lastNameSchema } from './person-name.ts'

export const INVITATION_LIFETIME_DAYS = 7

export const INVITATION_PROBLEM_CODES = [
  'invitation_unknown',
  'invitation_over',
  'invitation_used',
  'invitation_email_taken',
] as const
export type InvitationProblem = (typeof INVITATION_PROBLEM_CODES)[number]

export const invitationPreviewSchema = z.object({
  organisation: z.string(),
  email: z.string(),
  role: memberRoleSchema,
  invited_by: z.nullable(z.string()),
})
export type InvitationPreview = z.output<typeof invitationPreviewSchema>

export const invitationAcceptanceSchema = z
  .object({
    first_name: firstNameSchema,
    last_name: lastNameSchema,
    new_password: newPasswordSchema,
    confirm_password: repeatedPasswordSchema,
    terms_accepted: z.literal(true, 'ต้องยอมรับข้อกำหนดการใช้งานก่อนเข้าร่วม'),
  })
  .check(createPasswordsMatchCheck('new_password'))
export type InvitationAcceptance = z.output<typeof invitationAcceptanceSchema>
