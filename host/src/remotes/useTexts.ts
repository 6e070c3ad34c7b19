import { countTexts, subscribeToTexts } from '@dmp/kit/language'
import { useSyncExternalStore } from 'react'

/** Draws again when a catalogue has come that nobody waited for; what was typed stays. */
export const useTexts = (): number => useSyncExternalStore(subscribeToTexts, countTexts, countTexts)
