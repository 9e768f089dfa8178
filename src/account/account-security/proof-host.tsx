import { useEffect, useState } from 'react'
import { PROOF_WAYS, type ProofWay } from '#contract/account/second-factor.ts'
import { proveOneself, signAsOneself } from '#src/account/api/second-factor.ts'
import { whenProofIsNeeded } from '#src/api/http/client.ts'
import type { ProblemError } from '#src/api/http/problem-error.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

/** Lazy: the host is mounted on every screen, but the form is rarely needed. */
const FactorForm = lazyComponent(() => import('./factor-form.tsx'), 'FactorForm')

type Asking = { readonly refusal: ProblemError; readonly end: (isProved: boolean) => void }

/**
 * Shows the identity dialog when a request requires it, then the request is retried. Requests rejected together share
 * one dialog.
 */
export function ProofHost() {
  const [asking, setAsking] = useState<Asking>()
  useEffect(() => {
    let pending: Promise<boolean> | undefined
    return whenProofIsNeeded((refusal) => {
      pending ??= new Promise<boolean>((resolve) => {
        const end = (isProved: boolean) => {
          pending = undefined
          setAsking(undefined)
          resolve(isProved)
        }
        setAsking({ refusal, end })
      })
      return pending
    })
  }, [])
  return asking && <ProofDialog {...asking} />
}

function waysIn({ ways }: ProblemError['body']): readonly ProofWay[] {
  const told = Array.isArray(ways) ? ways : []
  return told.filter((way): way is ProofWay => PROOF_WAYS.includes(way))
}

type ProofDialogProps = { refusal: ProblemError; end: (isProved: boolean) => void }

/** Unsaved input behind the dialog stays. */
function ProofDialog({ refusal, end }: ProofDialogProps) {
  return (
    <Modal
      open
      onClose={() => end(false)}
      title="ยืนยันว่าเป็นคุณ"
      description="รายการนี้ต้องยืนยันตัวตน แล้วไม่ถามอีก 10 นาที"
      className="sm:max-w-[420px]"
    >
      <div className="px-4 py-4">
        <LazyBoundary
          fallback={
            <SkeletonGroup label="กำลังเปิด">
              <Skeleton className="h-32" />
            </SkeletonGroup>
          }
        >
          <FactorForm
            ways={waysIn(refusal.body)}
            submit="ยืนยัน"
            sign={signAsOneself}
            onAnswer={async (answer) => {
              await proveOneself(answer)
              end(true)
            }}
            onCancel={() => end(false)}
          />
        </LazyBoundary>
      </div>
    </Modal>
  )
}
