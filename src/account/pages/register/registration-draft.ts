import type { RegisterStepTwoForm } from '#contract/account/registration-form.ts'

/**
 * Input so far, for Back and reload: stored in this tab until it closes or registration completes. Never the password;
 * after step one the server has its hash, identified by the form's code.
 */
export type RegistrationDraft = {
  readonly email?: string
  /** `register_form_code`; set after step one. */
  readonly code?: string
  /** Device time at which that code expires. */
  readonly endsAtMs?: number
  readonly organisation?: Partial<RegisterStepTwoForm>
  /** Address that receives the six-digit code; set after step two. */
  readonly mailedTo?: string
  /** Device time from which another code may be requested. */
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

/** Returns this tab's draft. When its code has expired, the input remains. */
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
