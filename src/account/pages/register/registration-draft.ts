import type { RegistrationStepTwoForm } from '#contract/account/registration-form.ts'
import { createStoredText } from '#src/lib/web-storage.ts'

/**
 * The user's input so far, for Back and reload. Stored in this tab until it closes or the registration completes. Never
 * contains the password; after step one the server stores its hash under the form's code.
 */
export type RegistrationDraft = {
  readonly email?: string
  /** Identifies the form on the server (`register_form_code`); set after step one. */
  readonly code?: string
  readonly endsAtMs?: number
  readonly organisation?: Partial<RegistrationStepTwoForm>
  readonly mailedTo?: string
  readonly resendAtMs?: number
}

const stored = createStoredText('sessionStorage', 'tamngan.registration')

/** Returns what the user typed, which outlives the code. */
export const pickTypedInput = ({ email, organisation }: RegistrationDraft): RegistrationDraft => ({
  ...(email !== undefined && { email }),
  ...(organisation && { organisation }),
})

/** Returns this tab's draft. Once its code has expired, the draft contains only the user's input. */
export function readRegistrationDraft(nowMs = Date.now()): RegistrationDraft {
  try {
    const draft = JSON.parse(stored.read() ?? '{}') as RegistrationDraft
    return draft.endsAtMs === undefined || nowMs < draft.endsAtMs ? draft : pickTypedInput(draft)
  } catch {
    return {}
  }
}

export const writeRegistrationDraft = (draft: RegistrationDraft): void => stored.write(JSON.stringify(draft))
export const clearRegistrationDraft = (): void => stored.write(null)

export const REGISTRATION_STEPS = [
  { step: 1, name: 'บัญชี' },
  { step: 2, name: 'องค์กร' },
  { step: 3, name: 'ยืนยันอีเมล' },
] as const
export type RegistrationStep = (typeof REGISTRATION_STEPS)[number]['step']

export function getFurthestRegistrationStep({ code, mailedTo }: RegistrationDraft): RegistrationStep {
  if (code === undefined) return 1
  return mailedTo === undefined ? 2 : 3
}
