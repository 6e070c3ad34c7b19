import { Busy } from '../core/errors.ts'

/** The object has no image, or its image cannot be drawn. */
export class NoPicture extends Error {}
/** The image has more pixels than the server draws. */
export class PictureTooLarge extends NoPicture {}
/** As many pictures wait as may; callers try again later. */
export class TooManyPictures extends Busy {}
