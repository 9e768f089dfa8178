import { useEffect, useState } from 'react'
import type { ReportKeyboard } from './report-keyboard.tsx'

/**
 * The keys of the report, once their code is there. Not by Suspense: it holds back what it shows by up to 300 ms, and a page
 * must not fail because its shortcuts could not be loaded.
 */
export function useKeyboard(): typeof ReportKeyboard | undefined {
  const [Keyboard, setKeyboard] = useState<typeof ReportKeyboard>()
  useEffect(() => {
    import('./report-keyboard.tsx').then(
      (module) => setKeyboard(() => module.ReportKeyboard),
      (error: unknown) => console.warn('The shortcuts could not be loaded', error),
    )
  }, [])
  return Keyboard
}
