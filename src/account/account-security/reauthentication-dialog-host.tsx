import { useEffect, useState } from 'react'
import { IDENTITY_PROOF_METHODS, type IdentityProofMethod } from '#contract/account/second-factor.ts'
import { requestProofPasskeySignature, submitIdentityProof } from '#src/account/api/second-factor.ts'
import { registerReauthenticationPrompt } from '#src/api/http/client.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import type { ProblemError } from '#src/lib/problem-error.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'

const FactorForm = lazyComponent(() => import('./identity-proof-form.tsx'), 'IdentityProofForm')

type PendingProof = { readonly refusal: ProblemError; readonly end: (isProved: boolean) => void }

/** Shows one identity dialog for all requests that are rejected for lack of proof, and then retries them. */
export function ReauthenticationDialogHost() {
  const [pendingProof, setPendingProof] = useState<PendingProof>()
  useEffect(() => {
    let pending: Promise<boolean> | undefined
    return registerReauthenticationPrompt((refusal) => {
      if (pending) return pending
      pending = new Promise<boolean>((resolve) => {
        const end = (isProved: boolean) => {
          pending = undefined
          setPendingProof(undefined)
          resolve(isProved)
        }
        setPendingProof({ refusal, end })
      })
      return pending
    })
  }, [])
  if (!pendingProof) return null
  const { refusal, end } = pendingProof
  return (
    <Modal
      open
      onClose={() => end(false)}
      title="ยืนยันว่าเป็นคุณ"
      description="รายการนี้ต้องยืนยันตัวตน แล้วไม่ถามอีก 10 นาที"
      className="sm:max-w-[420px]"
    >
      <div className="px-4 py-4">
        <LazyBoundary fallback={<SkeletonGroup label="กำลังเปิด" bars={['h-32']} />}>
          <FactorForm
            methods={proofMethodsIn(refusal.body)}
            submit="ยืนยัน"
            sign={requestProofPasskeySignature}
            onAnswer={async (proof) => {
              await submitIdentityProof(proof)
              end(true)
            }}
            onCancel={() => end(false)}
          />
        </LazyBoundary>
      </div>
    </Modal>
  )
}

function proofMethodsIn({ ways }: ProblemError['body']): readonly IdentityProofMethod[] {
  const values = Array.isArray(ways) ? ways : []
  return values.filter((method): method is IdentityProofMethod => IDENTITY_PROOF_METHODS.includes(method))
}
