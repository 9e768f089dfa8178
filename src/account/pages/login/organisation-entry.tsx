import { Building2 } from 'lucide-react'
import { useState } from 'react'
import { ORGANISATION_LOGIN_TAG } from '#contract/account/organisation-login.ts'
import { loginEmailProblem, redirectToProvider } from '#src/account/api/organisation-login.ts'
import { fieldErrorsOf } from '#src/api/http/problem-error.ts'
import { Button } from '#src/ui/button.tsx'

type OrganisationEntryProps = {
  email: () => string
  target: string | undefined
  onEmailProblem: (message: string) => void
  onRefusal: (refusal: unknown) => void
}

export function OrganisationEntry({ email, target, onEmailProblem, onRefusal }: OrganisationEntryProps) {
  const [isPending, setPending] = useState(false)
  // Without the meta tag there is no organisation login. A style on the container hides it as well, so that the first
  // paint never shows it.
  if (document.querySelector(`meta[name="${ORGANISATION_LOGIN_TAG}"]`) === null) return null
  const goToProvider = async () => {
    const problem = loginEmailProblem(email())
    if (problem !== undefined) return onEmailProblem(problem)
    setPending(true)
    onRefusal(undefined)
    try {
      await redirectToProvider(email(), target)
    } catch (error) {
      const message = fieldErrorsOf(error, ['email'])[0]?.[1]
      if (message === undefined) onRefusal(error)
      else onEmailProblem(message)
      setPending(false)
    }
  }
  return (
    <Button size="lg" icon={Building2} pending={isPending} onClick={() => void goToProvider()} className="w-full">
      เข้าสู่ระบบด้วยบัญชีองค์กร
    </Button>
  )
}
