"""Compares masked objects with their originals by a decoder that is not ours: pydicom with gdcm.

python3 maskedPictures.py X Y WIDTH HEIGHT
Reads pairs of paths, a pair a line, and writes a line of JSON for each: the largest difference outside of the rectangle
and how many different pixels there are inside of it; what stopped the comparison, where something did.
"""
import json
import sys

import numpy
import pydicom
from pydicom.pixel_data_handlers import gdcm_handler, numpy_handler, rle_handler

pydicom.config.pixel_data_handlers = [numpy_handler, rle_handler, gdcm_handler]
x, y, width, height = (int(value) for value in sys.argv[1:5])


def read(path):
    ds = pydicom.dcmread(path, force=True)
    pixels = ds.pixel_array.astype('float64')
    samples = ds.SamplesPerPixel
    return ds, pixels.reshape((-1, ds.Rows, ds.Columns, samples))


for line in sys.stdin:
    first, second = line.rstrip('\n').split('\t')
    try:
        original, before = read(first)
    except Exception as cause:
        print(json.dumps({'path': first, 'unknown': str(cause)[:80]}))
        continue
    masked, after = read(second)
    inside = numpy.zeros(before.shape[1:3], bool)
    inside[y : y + height, x : x + width] = True
    same_colours = original.PhotometricInterpretation == masked.PhotometricInterpretation
    print(
        json.dumps(
            {
                'path': first,
                'isSameShape': before.shape == after.shape,
                'isLossless': original.file_meta.TransferSyntaxUID.name.find('Lossless') >= 0
                or not original.file_meta.TransferSyntaxUID.is_compressed,
                'isSameColours': same_colours,
                'outside': float(numpy.abs(before - after)[:, ~inside].max()),
                'inside': len(numpy.unique(after[:, inside].reshape(-1, after.shape[3]), axis=0)),
                'said': [masked.BurnedInAnnotation, masked.ImageType[0]],
            }
        )
    )
