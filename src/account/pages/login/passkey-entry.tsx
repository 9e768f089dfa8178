import { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill } from '@simplewebauthn/browser'
import { Fingerprint } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { loginByOfferedPasskey, loginByPasskey } from '#src/account/api/log-in.ts'
import { isNamedHost } from '#src/account/api/named-host.ts'
import { Button } from '#src/ui/button.tsx'

type PasskeyEntryProps = { onDone: () => void; onRefusal: (refusal: unknown) => void }

export function PasskeyEntry({ onDone, onRefusal }: PasskeyEntryProps) {
  const [isPending, setPending] = useState(false)
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
  const enter = async () => {
    isRequested.current = true
    setPending(true)
    onRefusal(undefined)
    try {
      if (await loginByPasskey()) return onDone()
    } catch (error) {
      onRefusal(error)
    }
    setPending(false)
  }
  return (
    <Button size="lg" icon={Fingerprint} pending={isPending} onClick={() => void enter()} className="w-full">
      เข้าสู่ระบบด้วยพาสคีย์
    </Button>
  )
}
