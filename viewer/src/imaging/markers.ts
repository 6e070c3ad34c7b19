import type { Types } from '@cornerstonejs/core'
import type { JsonDataset } from '@dmp/dicom'
import { directionLetters, pictureLetters, readDirections } from '../study/orientation.ts'
import { hasPlane } from '../study/plane.ts'

/** Which way the patient lies, at the four edges of a picture. */
export interface Markers {
  readonly top: string
  readonly right: string
  readonly bottom: string
  readonly left: string
}

/** Undefined where the header does not say. */
export function findMarkers(
  header: JsonDataset | undefined,
  { clientWidth: width, clientHeight: height }: HTMLElement,
  viewport: Pick<Types.IStackViewport, 'canvasToWorld'>,
): Markers | undefined {
  const letters = header && findLetters(header)
  if (letters === undefined) return undefined
  const at = (x: number, y: number) => viewport.canvasToWorld([x, y])
  const along = (from: Types.Point3, to: Types.Point3) => letters(to.map((end, axis) => end - from[axis]!))
  const [leftEdge, rightEdge] = [at(0, height / 2), at(width, height / 2)]
  const [topEdge, bottomEdge] = [at(width / 2, 0), at(width / 2, height)]
  return {
    left: along(rightEdge, leftEdge),
    right: along(leftEdge, rightEdge),
    top: along(bottomEdge, topEdge),
    bottom: along(topEdge, bottomEdge),
  }
}

/** What a direction is called in Cornerstone's world. */
function findLetters(header: JsonDataset): ((direction: readonly number[]) => string) | undefined {
  if (hasPlane(header)) return directionLetters
  const directions = readDirections(header)
  // Where there is no plane, the world is the picture: its first axis runs along the rows, its second down the columns.
  return directions && ((direction) => pictureLetters(direction, directions))
}
