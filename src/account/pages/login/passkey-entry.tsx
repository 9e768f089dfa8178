import { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill } from '@simplewebauthn/browser'
import { useMutation } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { loginByOfferedPasskey, loginByPasskey } from '#src/account/api/log-in.ts'
import { isNamedHost } from '#src/account/api/named-host.ts'
import { Button } from '#src/ui/button.tsx'

type PasskeyEntryProps = { onDone: () => void; onRefusal: (refusal: unknown) => void }

export function PasskeyEntry({ onDone, onRefusal }: PasskeyEntryProps) {
  const { mutate: enter, isPending } = useMutation({
    mutationFn: loginByPasskey,
    onSuccess: (isIn) => {
      if (isIn) onDone()
    },
    onError: onRefusal,
  })
  const isRequested = useRef(false)
  const isOffered = isNamedHost() && browserSupportsWebAuthn()
  const handleDone = useEffectEvent(onDone)
  useEffect(() => {
    if (!isOffered) return
    let isCancelled = false
    // The user did not start this request, so errors are ignored.
    void browserSupportsWebAuthnAutofill()
      .then((isThere) => isThere && loginByOfferedPasskey(() => !isCancelled && !isRequested.current))
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
