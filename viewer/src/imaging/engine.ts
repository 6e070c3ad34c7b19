import { cache, getRenderingEngine, init as initCore, RenderingEngine } from '@cornerstonejs/core'
import { init as initLoader } from '@cornerstonejs/dicom-image-loader'
import { addTool, init as initTools, removeTool } from '@cornerstonejs/tools'
import { ViewerFailure } from '../failure.ts'
import { registerFrameLoader } from './frames.ts'
import { dropTools, engineId, offered, watchMeasurements } from './tools.ts'

const megabyte = 1024 * 1024

/** Memory for decoded pictures: an eighth of what the device has (as far as the browser tells), 256 MB to 1 GB. */
function cacheBytes(): number {
  const gigabytes =
    'deviceMemory' in navigator && typeof navigator.deviceMemory === 'number' ? navigator.deviceMemory : 4
  return Math.min(1024, Math.max(256, gigabytes * 128)) * megabyte
}

/**
 * Starts Cornerstone: its renderer (WebGL, or the processor where there is none), its decoders in workers, its tools.
 * What an earlier page has left of it is used again: a browser has few WebGL contexts.
 */
export function startEngine(): RenderingEngine {
  try {
    initCore()
    initLoader({ maxWebWorkers: Math.min(4, Math.max(1, (navigator.hardwareConcurrency || 2) - 1)) })
    registerFrameLoader()
    initTools()
    for (const tool of offered) addTool(tool)
    watchMeasurements()
    cache.setMaxCacheSize(cacheBytes())
    window.addEventListener('unhandledrejection', ignoreEchoes)
    return getRenderingEngine(engineId) ?? new RenderingEngine(engineId)
  } catch (cause) {
    throw new ViewerFailure('graphics', cause)
  }
}

/** Takes the tools away, so that others of the same names can be had; renderer, workers and pictures stay. */
export function stopEngine(): void {
  dropTools()
  for (const tool of offered) removeTool(tool)
  window.removeEventListener('unhandledrejection', ignoreEchoes)
}

/**
 * Cornerstone rejects a second promise, which no code holds, with the same request that our loader has already dealt
 * with.
 */
function ignoreEchoes(event: PromiseRejectionEvent): void {
  if (event.reason instanceof XMLHttpRequest) event.preventDefault()
}

/** Bytes of decoded pictures that one of `paneCount` stacks may keep. */
export const stackBytes = (paneCount: number): number => (cache.getMaxCacheSize() * 0.8) / paneCount
