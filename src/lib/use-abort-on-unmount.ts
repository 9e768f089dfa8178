import { type RefObject, useEffect, useRef } from 'react'

/** Returns a ref for the controller of the latest request, which is aborted when the component unmounts. */
export function useAbortOnUnmount(): RefObject<AbortController | undefined> {
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])
  return controller
}
