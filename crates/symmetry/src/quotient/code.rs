//! Markings as bytes, which are what is stored and compared.
//!
//! ```text
//! per static subclass   the number of blocks, their sizes
//! per place             the number of tuples; per tuple its components and its multiplicity
//! ```
//!
//! Numbers are written with seven bits a byte, low ones first.

use super::marking::{Block, Marking, Tokens, block_of, component, label_of};
use super::shape::Shape;

/// Writes a marking whose blocks come in an order: `rank` is the new number of each block, and
/// `order` its inverse. `moved` is a buffer.
pub(crate) fn encode(
    shape: &Shape,
    marking: &Marking,
    order: &[u32],
    rank: &[u32],
    moved: &mut Tokens,
    out: &mut Vec<u8>,
) {
    out.clear();
    let mut blocks = order.iter().map(|&block| marking.blocks[block as usize]).peekable();
    let mut sizes: Vec<u32> = Vec::new();
    for number in 0..shape.statics.len() as u32 {
        sizes.clear();
        while let Some(block) = blocks.next_if(|block| block.of == number) {
            sizes.push(block.size);
        }
        write(out, sizes.len() as u64);
        sizes.iter().for_each(|&size| write(out, u64::from(size)));
    }
    moved.clear();
    moved.heads.extend_from_slice(&marking.tokens.heads);
    moved.pool.extend_from_slice(&marking.tokens.pool);
    for &head in &marking.tokens.heads {
        let shapes = shape.components(head.place);
        for (entry, shape) in moved.tuple_mut(shape, head).iter_mut().zip(shapes) {
            if shape.is_free {
                *entry = component(rank[block_of(*entry) as usize], label_of(*entry));
            }
        }
    }
    moved.sort(shape);
    let mut rest = &moved.heads[..];
    for place in shape.place_ids() {
        let length = rest.iter().position(|head| head.place != place.0).unwrap_or(rest.len());
        let (here, others) = rest.split_at(length);
        rest = others;
        write(out, length as u64);
        let shapes = shape.components(place.0);
        for &head in here {
            for (&entry, shape) in moved.tuple(shape, head).iter().zip(shapes) {
                let number = match shape.is_free {
                    true => block_of(entry) * shape.alike + label_of(entry),
                    false => entry,
                };
                write(out, u64::from(number));
            }
            write(out, head.count);
        }
    }
}

/// Reads a marking.
pub(crate) fn decode(shape: &Shape, mut bytes: &[u8], into: &mut Marking) {
    into.blocks.clear();
    into.tokens.clear();
    for of in 0..shape.statics.len() as u32 {
        for _ in 0..read(&mut bytes) {
            into.blocks.push(Block { of, size: read(&mut bytes) as u32 });
        }
    }
    let mut tuple: Vec<u32> = Vec::new();
    for place in shape.place_ids() {
        for _ in 0..read(&mut bytes) {
            tuple.clear();
            for shape in shape.components(place.0) {
                let number = read(&mut bytes) as u32;
                tuple.push(match shape.is_free {
                    true => component(number / shape.alike, number % shape.alike),
                    false => number,
                });
            }
            let count = read(&mut bytes);
            into.tokens.push(place.0, &tuple, count);
        }
    }
}

fn write(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn read(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let [first, rest @ ..] = bytes {
        *bytes = rest;
        number |= u64::from(first & 0x7f) << shift;
        shift += 7;
        if first & 0x80 == 0 {
            break;
        }
    }
    number
}
