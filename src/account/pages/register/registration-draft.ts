import type { RegistrationStepTwoForm } from '#contract/account/registration-form.ts'

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

const KEY = 'tamngan.registration'
/** Fallback when the browser denies storage; the draft then lasts as long as the page. */
let inMemory: string | null = null

function readText(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return inMemory
  }
}

/** Returns what the user typed, which outlives the code. */
export const pickTypedInput = ({ email, organisation }: RegistrationDraft): RegistrationDraft => ({
  ...(email !== undefined && { email }),
  ...(organisation && { organisation }),
})

/** Returns this tab's draft. Once its code has expired, the draft contains only the user's input. */
export function readRegistrationDraft(nowMs = Date.now()): RegistrationDraft {
  const text = readText()
  if (text === null) return {}
  try {
    const draft = JSON.parse(text) as RegistrationDraft
    if (draft.endsAtMs === undefined || nowMs < draft.endsAtMs) return draft
    return pickTypedInput(draft)
  } catch {
    return {}
  }
}

export function writeRegistrationDraft(draft: RegistrationDraft): void {
  inMemory = JSON.stringify(draft)
  try {
    sessionStorage.setItem(KEY, inMemory)
  } catch {
    // Storage is blocked, so the in-memory fallback is used.
  }
}

export function clearRegistrationDraft(): void {
  inMemory = null
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Storage is blocked, so there is nothing to remove.
  }
}

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
