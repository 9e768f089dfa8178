import { useEffect, useState } from 'react'
import { PROOF_WAYS, type ProofWay } from '#contract/account/second-factor.ts'
import { proveOneself, signAsOneself } from '#src/account/api/second-factor.ts'
import { whenProofIsNeeded } from '#src/api/http/client.ts'
import type { ProblemError } from '#src/api/http/problem-error.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

/** The host waits on every screen; the form and what reads forms are for the few moments in which somebody is asked. */
const FactorForm = lazyComponent(() => import('./factor-form.tsx'), 'FactorForm')

type Asking = { readonly refusal: ProblemError; readonly end: (isProved: boolean) => void }

/** Asks the person to show who they are when a call wants that, and lets it be sent again; calls that are refused together wait for one answer. */
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

/** The ways that the refusal names, in its order. */
function waysIn({ ways }: ProblemError['body']): readonly ProofWay[] {
  const told = Array.isArray(ways) ? ways : []
  return told.filter((way): way is ProofWay => PROOF_WAYS.includes(way))
}

type ProofDialogProps = { refusal: ProblemError; end: (isProved: boolean) => void }

/** Asks for the password or the second factor over whatever is being done; what is typed behind it stays. */
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
