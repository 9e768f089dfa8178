import { useMutation } from '@tanstack/react-query'
import { Building2 } from 'lucide-react'
import { ORGANISATION_LOGIN_META_TAG_NAME } from '#contract/account/organisation-login.ts'
import { findLoginEmailProblem, redirectToIdentityProvider } from '#src/account/api/organisation-login.ts'
import { readPageMetadata } from '#src/lib/page-metadata.ts'
import { getFieldErrors } from '#src/lib/problem-error.ts'
import { Button } from '#src/ui/button.tsx'

type OrganisationLoginButtonProps = {
  email: () => string
  target: string | undefined
  onEmailProblem: (message: string) => void
  onRefusal: (refusal: unknown) => void
}

export function OrganisationLoginButton({ email, target, onEmailProblem, onRefusal }: OrganisationLoginButtonProps) {
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => redirectToIdentityProvider(email(), target),
    onError: (error) => {
      const [fieldError] = getFieldErrors(error, ['email'])
      if (fieldError) onEmailProblem(fieldError[1])
      else onRefusal(error)
    },
  })
  // The server writes the meta tag only if some organisation has its own identity provider.
  if (readPageMetadata(ORGANISATION_LOGIN_META_TAG_NAME) === undefined) return null
  const goToProvider = () => {
    const problem = findLoginEmailProblem(email())
    if (problem !== undefined) return onEmailProblem(problem)
    onRefusal(undefined)
    mutate()
  }
  return (
    <Button size="lg" icon={Building2} pending={isPending || isSuccess} onClick={goToProvider} className="w-full">
      เข้าสู่ระบบด้วยบัญชีองค์กร
    </Button>
  )
}
