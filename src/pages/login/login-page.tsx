import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { screenAt } from '#contract/screen.ts'
import { preloadClient } from '#src/api/client.ts'
import { PlainLayout } from '#src/features/navigation/plain-layout.tsx'
import { returnPath } from '#src/features/session/return-path.ts'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { LoginForm } from './login-form.tsx'

// Most people come to log in.
const DemoEntry = lazyPart(() => import('./demo-entry.tsx'), 'DemoEntry')

const route = getRouteApi('/login')
const needsLogin = (pathname: string) => screenAt(pathname)?.needsLogin === true

/** Login on a plain, centred layout; `?refkey=` enters the demo instead. */
export function LoginPage() {
  const { redirect, refkey, notice } = route.useSearch()
  const navigate = route.useNavigate()
  useEffect(preloadClient, [])
  const enter = (target: string) => void navigate({ href: target, replace: true })
  return (
    <PlainLayout
      footer={<p className="mt-6 text-center text-sm text-ink-faint">ติดตามโครงการจัดซื้อจัดจ้างภาครัฐที่ตรงกับธุรกิจของคุณ</p>}
    >
      {refkey === undefined ? (
        <LoginForm
          onDone={() => enter(returnPath(redirect, needsLogin))}
          returning={redirect !== undefined}
          notice={notice}
        />
      ) : (
        <Suspense fallback={<div className="min-h-28" />}>
          <DemoEntry refkey={refkey} onDone={() => enter('/report')} onCancel={() => enter('/login')} />
        </Suspense>
      )}
    </PlainLayout>
  )
}
