import { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill } from '@simplewebauthn/browser'
import { Fingerprint } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { loginByOfferedPasskey, loginByPasskey } from '#src/account/api/log-in.ts'
import { isNamedHost } from '#src/account/api/named-host.ts'
import { Button } from '#src/ui/button.tsx'

type PasskeyEntryProps = { onDone: () => void; onRefusal: (refusal: unknown) => void }

/** Login by a passkey: offered by the browser where the e-mail is typed, and by a button. */
export function PasskeyEntry({ onDone, onRefusal }: PasskeyEntryProps) {
  const [isPending, setPending] = useState(false)
  const isAsked = useRef(false)
  const isOffered = isNamedHost() && browserSupportsWebAuthn()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each drawing of the form
  useEffect(() => {
    if (!isOffered) return
    let isGone = false
    // Nobody has asked for it yet: what goes wrong is not said.
    void browserSupportsWebAuthnAutofill()
      .then((isThere) => isThere && loginByOfferedPasskey(() => !isGone && !isAsked.current))
      .then(
        (isIn) => {
          if (isIn && !isGone) onDone()
        },
        () => undefined,
      )
    return () => {
      isGone = true
    }
  }, [isOffered])
  // The shape of the screen keeps its place (scripts/first-paint.ts): nothing moves when it comes.
  if (typeof window === 'undefined') return <div className="h-11" />
  if (!isOffered) return null
  const enter = async () => {
    isAsked.current = true
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
