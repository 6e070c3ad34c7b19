const forAdministrators = 'Administrators find both under Scans, Conflicts.'

/**
 * Why a file is not there, by the word that server or uploader says of it, for windows in other languages than
 * English: the sentence itself, which is more precise and English alone, stands below.
 */
export const reasons: Readonly<Record<string, string>> = {
  // DICOM objects that the server does not take.
  NOT_DICOM: 'This is not a DICOM file.',
  PREAMBLE: 'By its beginning, the file is a program or another kind of document.',
  META: 'The file meta information is missing, damaged or too long.',
  TRANSFER_SYNTAX: 'The images are packed in a way that the server does not take (transfer syntax).',
  TRUNCATED: 'The file ends too early: it was cut off.',
  LENGTH: 'The lengths that the file names do not fit its content: it is damaged.',
  VR: 'The file has a kind of value that DICOM does not have: it is damaged.',
  DEPTH: 'The file is nested too deeply.',
  DUPLICATE_ELEMENT: 'The file says something twice.',
  SEQUENCE: 'Something stands in the file where it does not belong: it is damaged.',
  DEFLATE: 'The packed content of the file cannot be unpacked.',
  TOO_LARGE: 'The file, or a part of it, is larger than the server takes.',
  UID: 'The file lacks a UID, or has one that is not valid.',
  CHARACTER_SET: 'The text in the file does not fit the character set that it names.',
  PIXEL_DATA: 'The pixel data do not fit what the file says of them.',
  UNREADABLE: 'The content of the file cannot be read.',
  DICOMDIR: 'This is the table of contents of a medium (DICOMDIR), not an image.',
  // What is stored contradicts.
  OTHER_PATIENT: `This study is stored as another patient’s. The image was not stored. ${forAdministrators}`,
  SERIES_OF_OTHER_STUDY: `This series is stored in another study. The image was not stored. ${forAdministrators}`,
  CONFLICT: `A different image with the same ID is already stored. It was not replaced. ${forAdministrators}`,
  OTHER_STUDY: 'The image belongs to a different study.',
  DELETED_MEANWHILE: 'The image was deleted while it arrived once more. Send it again if it is to be kept.',
  QUOTA: 'The storage of your organization is full. Its administrators can make room.',
  // The server has no time or no room.
  SLOW_DOWN: 'The server has too much to do at the moment.',
  NOT_READY: 'The server is not ready at the moment.',
  NO_ROOM: 'The disk of the server is full. Nothing is lost; its operator has to make room.',
  STORE_FULL: 'The store of the server is full. Nothing is lost; its operator has to make room.',
  STORE_UNAVAILABLE: 'The store of the server does not answer at the moment.',
  // What the uploader finds out itself.
  LINE_LOST: 'The server does not respond, or the connection broke off.',
  TOKEN_ENDED: 'The API token was ended, or is suspended or expired. Connect again.',
  EMPTY_FILE: 'The file is empty.',
  DAMAGED_FILE: 'By its name this is a DICOM file, but its content is not: it is damaged, or something else.',
  FOLDER_GONE: 'This folder is not there (drive or share?). It is looked for again and again.',
  UNREADABLE_FILE: 'It cannot be read. Check its permissions, or close the program that is writing it.',
  NOT_DEIDENTIFIED: 'It cannot be de-identified, and was not sent.',
  NOT_COPIED_ROOM: 'There is too little room on this machine for the copy. Watch its folder instead.',
  NOT_COPIED_BROKEN: 'The copy broke off.',
  NOT_COPIED_NAME: 'This file has no name that can be kept.',
}
