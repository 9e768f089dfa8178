import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { preloadClient } from '#src/api/client.ts'
import { Logo } from '#src/features/navigation/logo.tsx'
import { screenAt } from '#src/features/navigation/screens.ts'
import { returnPath } from '#src/features/session/return-path.ts'
import { DemoEntry } from './demo-entry.tsx'
import { LoginForm } from './login-form.tsx'

const route = getRouteApi('/login')
const needsLogin = (pathname: string) => screenAt(pathname)?.needsLogin === true

/** Login on a plain, centred layout; `?refkey=` enters the demo instead. */
export function LoginPage() {
  const { redirect, refkey } = route.useSearch()
  const navigate = route.useNavigate()
  useEffect(preloadClient, [])
  const enter = (target: string) => void navigate({ href: target, replace: true })
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-10">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex justify-center">
          <Logo />
        </div>
        <div className="rounded-card border border-line bg-surface p-6">
          {refkey === undefined ? (
            <LoginForm onDone={() => enter(returnPath(redirect, needsLogin))} returning={redirect !== undefined} />
          ) : (
            <DemoEntry refkey={refkey} onDone={() => enter('/report')} onCancel={() => enter('/login')} />
          )}
        </div>
        <p className="mt-6 text-center text-sm text-ink-faint">ติดตามโครงการจัดซื้อจัดจ้างภาครัฐที่ตรงกับธุรกิจของคุณ</p>
      </div>
    </main>
  )
}
