import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { screenAt } from '#contract/screen.ts'
import { preloadClient } from '#src/api/client.ts'
import { PlainLayout } from '#src/features/navigation/plain-layout.tsx'
import { returnPath } from '#src/features/session/return-path.ts'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { LoginForm } from './login-form.tsx'
import { ProductIntro } from './product-intro.tsx'
import { readSampleLogin, SampleAccounts } from './sample-accounts.tsx'

// Most people come to log in.
const DemoEntry = lazyPart(() => import('./demo-entry.tsx'), 'DemoEntry')

const route = getRouteApi('/login')
const needsLogin = (pathname: string) => screenAt(pathname)?.needsLogin === true

/** Login with what the product does and, while the sample is in, its accounts; `?refkey=` enters the demo instead. */
export function LoginPage() {
  const { redirect, refkey, notice } = route.useSearch()
  const navigate = route.useNavigate()
  useEffect(preloadClient, [])
  const [sample] = useState(readSampleLogin)
  const enter = (target: string) => void navigate({ href: target, replace: true })
  const goOn = () => enter(returnPath(redirect, needsLogin))
  if (refkey !== undefined) {
    return (
      <PlainLayout>
        <Suspense fallback={<div className="min-h-28" />}>
          <DemoEntry refkey={refkey} onDone={() => enter('/report')} onCancel={() => enter('/login')} />
        </Suspense>
      </PlainLayout>
    )
  }
  return (
    <PlainLayout beside={<ProductIntro />} footer={sample && <SampleAccounts {...sample} onDone={goOn} />}>
      <LoginForm onDone={goOn} returning={redirect !== undefined} notice={notice} />
    </PlainLayout>
  )
}
