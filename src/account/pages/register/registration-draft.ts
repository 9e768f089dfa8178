import type { RegisterStepTwoForm } from '#contract/account/registration-form.ts'

/**
 * The user's input so far, for Back and reload. Stored in this tab until it closes or the registration completes. Never
 * contains the password; after step one the server has its hash, identified by the form's code.
 */
export type RegistrationDraft = {
  readonly email?: string
  /** `register_form_code`; set after step one. */
  readonly code?: string
  readonly endsAtMs?: number
  readonly organisation?: Partial<RegisterStepTwoForm>
  readonly mailedTo?: string
  readonly resendAtMs?: number
}

const KEY = 'tamngan.registration'
/** Fallback when the browser denies storage: the draft lasts as long as the page. */
let inMemory: string | null = null

function readText(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return inMemory
  }
}

/** Returns this tab's draft. When its code has expired, the draft still contains the input. */
export function readDraft(nowMs = Date.now()): RegistrationDraft {
  const text = readText()
  if (text === null) return {}
  try {
    const draft = JSON.parse(text) as RegistrationDraft
    if (draft.endsAtMs === undefined || nowMs < draft.endsAtMs) return draft
    const { email, organisation } = draft
    return { ...(email === undefined ? {} : { email }), ...(organisation === undefined ? {} : { organisation }) }
  } catch {
    return {}
  }
}

export function writeDraft(draft: RegistrationDraft): void {
  inMemory = JSON.stringify(draft)
  try {
    sessionStorage.setItem(KEY, inMemory)
  } catch {
    // The in-memory fallback is used.
  }
}

export function clearDraft(): void {
  inMemory = null
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Without storage there is nothing to remove.
  }
}

export const STEPS = [
  { step: 1, name: 'บัญชี' },
  { step: 2, name: 'องค์กร' },
  { step: 3, name: 'ยืนยันอีเมล' },
] as const
export type Step = (typeof STEPS)[number]['step']

export function furthestStep({ code, mailedTo }: RegistrationDraft): Step {
  if (code === undefined) return 1
  return mailedTo === undefined ? 2 : 3
}
