import { useEffect, useEffectEvent } from 'react'

export function useDocumentEvent<Type extends keyof DocumentEventMap>(
  type: Type,
  listener: (event: DocumentEventMap[Type]) => void,
  capture = false,
): void {
  const onEvent = useEffectEvent(listener)
  useEffect(() => {
    document.addEventListener(type, onEvent, capture)
    return () => document.removeEventListener(type, onEvent, capture)
  }, [type, capture])
}
