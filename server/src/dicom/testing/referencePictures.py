"""Pictures by a decoder that is not ours: pydicom with gdcm (Debian: python3-pydicom, python3-gdcm, libgdcm-tools).

python3 referencePictures.py FOLDER [OBJECT ...]
Makes objects of every form of pixels in FOLDER, reads them, the objects that pydicom brings and those named, and writes
the pixels of each frame, as RGB of a byte each, to FOLDER. A line of JSON for each object says where.
"""
import glob
import json
import os
import subprocess
import sys

import numpy
import pydicom
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.encaps import encapsulate, generate_pixel_data_frame
from pydicom.pixel_data_handlers import gdcm_handler, numpy_handler, rle_handler
from pydicom.pixel_data_handlers.rle_handler import _rle_decode_segment, rle_encode_frame
from pydicom.pixel_data_handlers.util import apply_color_lut, apply_modality_lut, convert_color_space
from pydicom.uid import ExplicitVRLittleEndian, RLELossless

pydicom.config.pixel_data_handlers = [numpy_handler, rle_handler, gdcm_handler]
folder = sys.argv[1]
ROWS, COLUMNS = 24, 32
FRAMES = 3


def make(name, pixels, photometric, syntax=ExplicitVRLittleEndian, stored=None, **changes):
    ds = Dataset()
    ds.file_meta = FileMetaDataset()
    ds.file_meta.TransferSyntaxUID = syntax
    ds.is_little_endian, ds.is_implicit_VR = True, False
    ds.SOPClassUID = ds.file_meta.MediaStorageSOPClassUID = '1.2.840.10008.5.1.4.1.1.7'
    ds.SOPInstanceUID = ds.file_meta.MediaStorageSOPInstanceUID = pydicom.uid.generate_uid(entropy_srcs=[name])
    ds.StudyInstanceUID, ds.SeriesInstanceUID = '1.2.826.1', '1.2.826.2'
    ds.PatientID, ds.PatientName, ds.Modality = name, 'Made^Up', 'OT'
    ds.Rows, ds.Columns = ROWS, COLUMNS
    ds.SamplesPerPixel = 3 if pixels.ndim == 3 else 1
    ds.PhotometricInterpretation = photometric
    ds.BitsAllocated = ds.BitsStored = pixels.dtype.itemsize * 8
    ds.PixelRepresentation = int(pixels.dtype.kind == 'i')
    if ds.SamplesPerPixel == 3:
        ds.PlanarConfiguration = 0
    for keyword, value in changes.items():
        if value is None:
            del ds[keyword]
        else:
            setattr(ds, keyword, value)
    if 'BitsStored' in ds:
        ds.HighBit = ds.BitsStored - 1
    ds.PixelData = pixels.tobytes() if stored is None else stored
    ds['PixelData'].VR = 'OW' if ds.BitsAllocated > 8 and syntax == ExplicitVRLittleEndian else 'OB'
    ds['PixelData'].is_undefined_length = syntax == RLELossless
    ds.save_as(os.path.join(folder, name + '.dcm'), write_like_original=False)


def run_lengths(pixels):
    return encapsulate([rle_encode_frame(pixels)])


def convert(name, *options):
    for option in options:
        command = ['gdcmconv', option, f'{folder}/{name}.dcm', f'{folder}/{name}{option}.dcm']
        subprocess.run(command, capture_output=True, check=False)


def palette(entries, first):
    ramp = numpy.arange(entries) * (65535 // entries)
    tables = {'Red': ramp, 'Green': ramp[::-1], 'Blue': ramp // 2}
    changes = {f'{colour}PaletteColorLookupTableDescriptor': [entries, first, 16] for colour in tables}
    for colour, table in tables.items():
        changes[f'{colour}PaletteColorLookupTableData'] = table.astype('<u2').tobytes()
    return changes


def make_all():
    y, x = numpy.mgrid[0:ROWS, 0:COLUMNS]
    rgb = numpy.stack([x * 8 % 256, y * 10 % 256, x * 4 + y * 5], -1).astype('uint8')
    planes = rgb.transpose(2, 0, 1).tobytes()
    pairs = numpy.stack([rgb[:, 0::2, 0], rgb[:, 1::2, 0], rgb[:, 0::2, 1], rgb[:, 0::2, 2]], -1)
    grey, byte = (x * 100 + y * 40).astype('uint16'), (x * 4 + y * 3).astype('uint8')
    signed = (x * 100 - y * 90 - 500).astype('int16')
    window = {'WindowCenter': '2000', 'WindowWidth': '3000'}
    middle = {'WindowCenter': '0', 'WindowWidth': '3000'}
    make('rgb', rgb, 'RGB')
    make('rgb-planes', rgb, 'RGB', stored=planes, PlanarConfiguration=1)
    make('rgb-16', rgb.astype('uint16') * 257, 'RGB')
    make('rgb-12', rgb.astype('uint16') * 16, 'RGB', BitsStored=12)
    make('rgb-no-configuration', rgb, 'RGB', PlanarConfiguration=None)
    make('ybr', rgb, 'YBR_FULL')
    make('ybr-planes', rgb, 'YBR_FULL', stored=planes, PlanarConfiguration=1)
    make('ybr-422', rgb, 'YBR_FULL_422', stored=pairs.tobytes())
    for bits, factor in ((8, 1), (16, 257), (32, 16843009)):
        for planar in (0, 1):
            colours = rgb.astype(f'uint{bits}') * numpy.array(factor, f'uint{bits}')
            name = f'run-lengths-rgb-{bits}-{planar}'
            make(name, colours, 'RGB', RLELossless, run_lengths(colours), PlanarConfiguration=planar)
    make('run-lengths-ybr', rgb, 'YBR_FULL', RLELossless, run_lengths(rgb))
    make('run-lengths-16', grey, 'MONOCHROME2', RLELossless, run_lengths(grey), **window)
    make('run-lengths-signed', signed, 'MONOCHROME2', RLELossless, run_lengths(signed), **middle)
    make('run-lengths-8', byte, 'MONOCHROME2', RLELossless, run_lengths(byte))
    make('inverse', grey, 'MONOCHROME1', **window)
    make('inverse-without-window', grey, 'MONOCHROME1')
    signed_byte = {'WindowCenter': '10', 'WindowWidth': '150'}
    make('signed-8', (x * 4 - y * 3).astype('int8'), 'MONOCHROME2', **signed_byte)
    wide = {'WindowCenter': '200000000', 'WindowWidth': '300000000'}
    make('grey-32', grey.astype('uint32') * 100000, 'MONOCHROME2', **wide)
    make('signed-32', signed.astype('int32') * 100000, 'MONOCHROME2', **{**wide, 'WindowCenter': '0'})
    scaled = {'BitsStored': 12, 'RescaleSlope': '0.5', 'RescaleIntercept': '-300'}
    make('rescaled', grey % 4096, 'MONOCHROME2', **scaled, WindowCenter='500', WindowWidth='1200')
    make('signed-12', signed // 4, 'MONOCHROME2', BitsStored=12, WindowCenter='0', WindowWidth='2000')
    usual = ('PhotometricInterpretation', 'SamplesPerPixel', 'BitsStored', 'PixelRepresentation')
    for keyword in usual:
        make(f'no-{keyword}', grey, 'MONOCHROME2', **{keyword: None})
    make('bare', grey, 'MONOCHROME2', **{keyword: None for keyword in usual})
    bits = ((x // 4 + y // 3) % 2).astype('uint8')
    packed = numpy.packbits(bits.ravel(), bitorder='little').tobytes()
    single = {'BitsAllocated': 1, 'BitsStored': 1}
    make('bits', bits, 'MONOCHROME2', stored=packed, **single)
    segment = bytes([len(packed) - 1]) + packed + b'\0'
    header = numpy.array([1, 64] + [0] * 14, '<u4').tobytes()
    make('run-lengths-bits', bits, 'MONOCHROME2', RLELossless, encapsulate([header + segment]), **single)
    make('palette', byte, 'PALETTE COLOR', **palette(256, 0))
    make('palette-16', byte.astype('uint16'), 'PALETTE COLOR', **palette(256, 0))
    make('palette-from-100', (x + y + 100).astype('uint8'), 'PALETTE COLOR', **palette(128, 100))
    for name in ('rgb', 'inverse', 'palette'):
        convert(name, '--jpeg', '--j2k', '--jpegls', '--rle')
    for name in ('ybr', 'signed-8', 'signed-12', 'rescaled'):
        convert(name, '--jpeg', '--j2k', '--jpegls')
    convert('signed-8', '--rle')


def read_pixels(ds):
    defaults = {
        'SamplesPerPixel': 1, 'PhotometricInterpretation': 'MONOCHROME2', 'PixelRepresentation': 0,
        'BitsStored': ds.BitsAllocated, 'PlanarConfiguration': 0,
    }
    for keyword, value in defaults.items():
        if keyword not in ds:
            setattr(ds, keyword, value)
    if 'HighBit' not in ds:
        ds.HighBit = ds.BitsStored - 1
    # pydicom decodes no single bits of run lengths.
    if ds.BitsAllocated == 1 and ds.file_meta.TransferSyntaxUID == RLELossless:
        frame = next(generate_pixel_data_frame(ds.PixelData, 1))
        bits = numpy.unpackbits(numpy.frombuffer(bytes(_rle_decode_segment(frame[64:])), 'uint8'), bitorder='little')
        return bits[:ds.Rows * ds.Columns].reshape(1, ds.Rows, ds.Columns)
    pixels = ds.pixel_array
    return pixels if int(ds.get('NumberOfFrames', 1) or 1) > 1 else pixels[None]


def first(value):
    return None if value is None else float(value[0] if isinstance(value, pydicom.multival.MultiValue) else value)


def draw(ds, frame, path):
    photometric = ds.PhotometricInterpretation
    if photometric == 'PALETTE COLOR':
        rgb = apply_color_lut(frame, ds)
        return rgb >> 8 if rgb.dtype == numpy.uint16 else rgb
    if frame.ndim == 3:
        # gdcm believes a header's RGB; components of which one is coarser than another are never that.
        if photometric in ('YBR_FULL', 'YBR_FULL_422') or path.endswith('SC_rgb_jpeg_lossy_gdcm.dcm'):
            return convert_color_space(frame, 'YBR_FULL', 'RGB')
        return frame.astype('uint64') >> max(0, ds.BitsStored - 8)
    grey = apply_modality_lut(frame, ds).astype('float64')
    center, width = first(ds.get('WindowCenter')), first(ds.get('WindowWidth'))
    low, high = grey.min(), grey.max()
    if center is not None and width is not None and width >= 1:
        low, high = center - 0.5 - (width - 1) / 2, center - 0.5 + (width - 1) / 2
    grey = numpy.clip((grey - low) / max(high - low, 1e-9), 0, 1) * 255
    return numpy.stack([255 - grey if photometric == 'MONOCHROME1' else grey] * 3, -1).round()


def decode(number, path):
    ds = pydicom.dcmread(path)
    frames = []
    for index, frame in enumerate(read_pixels(ds)[:FRAMES]):
        rgb = draw(ds, frame, path).astype('uint8')
        frames.append({'file': f'{folder}/{number}-{index}.rgb', 'rows': rgb.shape[0], 'columns': rgb.shape[1]})
        rgb.tofile(frames[-1]['file'])
    return frames


make_all()
made = sorted(glob.glob(f'{folder}/*.dcm'))
# Only what is installed: pydicom's own function would download more.
brought = sorted(glob.glob(os.path.join(os.path.dirname(pydicom.__file__), 'data', 'test_files', '*.dcm')))
for number, path in enumerate([*made, *brought, *sys.argv[2:]]):
    try:
        print(json.dumps({'path': path, 'frames': decode(number, path)}))
    except Exception as cause:  # Whatever it cannot decode is no reference.
        print(json.dumps({'path': path, 'frames': [], 'cause': str(cause)[:100]}))
