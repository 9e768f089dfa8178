import { type EffectCallback, useEffect, useEffectEvent } from 'react'

/**
 * Runs `handler` after the first render and after each change of `value`. Reads the latest props and state without
 * running again when they change. The handler may return a cleanup, as in `useEffect`.
 */
export function useOnChange<T>(value: T, handler: (value: T) => ReturnType<EffectCallback>): void {
  const handleChange = useEffectEvent(handler)
  useEffect(() => handleChange(value), [value])
}
