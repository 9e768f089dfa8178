import { type RefObject, useEffect, useRef } from 'react'

export function useAbortOnUnmount(): RefObject<AbortController | undefined> {
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])
  return controller
}
