import { useMutation } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { isServedFromDomainName } from '#src/account/api/is-domain-name-host.ts'
import { logInWithAutofilledPasskey, logInWithPasskey } from '#src/account/api/log-in.ts'
import { Button } from '#src/ui/button.tsx'

type PasskeyLoginButtonProps = { onDone: () => void; onRefusal: (refusal: unknown) => void }

const canAutofillPasskeys = async () => (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true

export function PasskeyLoginButton({ onDone, onRefusal }: PasskeyLoginButtonProps) {
  const { mutate: enter, isPending } = useMutation({
    mutationFn: logInWithPasskey,
    onSuccess: (isIn) => {
      if (isIn) onDone()
    },
    onError: onRefusal,
  })
  const isRequested = useRef(false)
  const isOffered = isServedFromDomainName() && 'PublicKeyCredential' in window
  const handleDone = useEffectEvent(onDone)
  useEffect(() => {
    if (!isOffered) return
    let isCancelled = false
    // The user did not start this request, so errors are ignored.
    void canAutofillPasskeys()
      .then((canAutofill) => canAutofill && logInWithAutofilledPasskey(() => !isCancelled && !isRequested.current))
      .then(
        (isIn) => {
          if (isIn && !isCancelled) handleDone()
        },
        () => undefined,
      )
    return () => {
      isCancelled = true
    }
  }, [isOffered])
  if (!isOffered) return null
  return (
    <Button
      size="lg"
      icon={Fingerprint}
      pending={isPending}
      onClick={() => {
        isRequested.current = true
        onRefusal(undefined)
        enter()
      }}
      className="w-full"
    >
      เข้าสู่ระบบด้วยพาสคีย์
    </Button>
  )
}
