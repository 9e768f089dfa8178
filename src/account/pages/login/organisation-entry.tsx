import { Building2 } from 'lucide-react'
import { useState } from 'react'
import { ORGANISATION_LOGIN_TAG } from '#contract/account/organisation-login.ts'
import { emailProblem, leaveForProvider } from '#src/account/api/organisation-login.ts'
import { fieldErrorsOf } from '#src/api/http/problem-error.ts'
import { Button } from '#src/ui/button.tsx'

type OrganisationEntryProps = {
  email: () => string
  target: string | undefined
  onEmailProblem: (message: string) => void
  onRefusal: (refusal: unknown) => void
}

/** The typed address's domain selects the provider. */
export function OrganisationEntry({ email, target, onEmailProblem, onRefusal }: OrganisationEntryProps) {
  const [isPending, setPending] = useState(false)
  // A style on its container also hides it from the first paint.
  if (document.querySelector(`meta[name="${ORGANISATION_LOGIN_TAG}"]`) === null) return null
  const leave = async () => {
    const problem = emailProblem(email())
    if (problem !== undefined) return onEmailProblem(problem)
    setPending(true)
    onRefusal(undefined)
    try {
      // The page is about to unload, so the button stays pending.
      await leaveForProvider(email(), target)
    } catch (error) {
      const message = fieldErrorsOf(error, ['email'])[0]?.[1]
      if (message === undefined) onRefusal(error)
      else onEmailProblem(message)
      setPending(false)
    }
  }
  return (
    <Button size="lg" icon={Building2} pending={isPending} onClick={() => void leave()} className="w-full">
      เข้าสู่ระบบด้วยบัญชีองค์กร
    </Button>
  )
}
