import type { RegisterStepTwoForm } from '#contract/account/registration-form.ts'

/**
 * What has been filled in so far, for Back and reload: kept by this tab until it closes or the registration is done. Never the
 * password; from step one on the server has its hash, and the form's code stands for it.
 */
export type RegistrationDraft = {
  readonly email?: string
  /** `register_form_code`; there is one once step one is through. */
  readonly code?: string
  /** Device clock when that code ends. */
  readonly endsAtMs?: number
  readonly organisation?: Partial<RegisterStepTwoForm>
  /** Where the six-digit code goes, as step two answered it: step two is through. */
  readonly mailedTo?: string
  /** Device clock when another six-digit code may be asked for. */
  readonly resendAtMs?: number
}

const KEY = 'tamngan.registration'
/** Used where the browser refuses storage: the draft then lasts as long as the page. */
let inMemory: string | null = null

function readText(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return inMemory
  }
}

/** The draft of this tab. One whose code has ended has still what was typed. */
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
    // Kept in memory above.
  }
}

export function clearDraft(): void {
  inMemory = null
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Nothing is stored where storage is blocked.
  }
}

export const STEPS = [
  { step: 1, name: 'บัญชี' },
  { step: 2, name: 'องค์กร' },
  { step: 3, name: 'ยืนยันอีเมล' },
] as const
export type Step = (typeof STEPS)[number]['step']

/** The furthest step that a draft may be at. */
export function furthestStep({ code, mailedTo }: RegistrationDraft): Step {
  if (code === undefined) return 1
  return mailedTo === undefined ? 2 : 3
}
