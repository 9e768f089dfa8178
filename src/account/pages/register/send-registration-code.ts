import { REGISTRATION_OTP_RESEND_DELAY_SECONDS } from '#contract/account/registration.ts'
import { sendRegistrationOtp } from '#src/account/api/registration.ts'
import { ProblemError } from '#src/lib/problem-error.ts'
import type { RegistrationDraft } from './registration-draft.ts'

type SendResult = {
  readonly draft: RegistrationDraft
  readonly error?: unknown
}

/** Returns the draft with the earliest time of the next request, also if the server refused this one as too early. */
export async function sendRegistrationCode(draft: RegistrationDraft & { readonly code: string }): Promise<SendResult> {
  try {
    const { resend_after } = await sendRegistrationOtp(draft.code)
    return { draft: { ...draft, resendAtMs: Date.now() + resend_after * 1000 } }
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 429) return { draft, error }
    const seconds = error.retryAfterSeconds ?? REGISTRATION_OTP_RESEND_DELAY_SECONDS
    return { draft: { ...draft, resendAtMs: Date.now() + seconds * 1000 }, error }
  }
}
