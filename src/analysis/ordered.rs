//! Many pieces of work on many cores, with their results in order.

use crate::search::STACK;
use crossbeam::channel;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::{io, thread};

/// Hands the items to the workers, one at a time each, and the results to `take`, in the order of the items. A result
/// of `take` that is an error ends it when the work begun is done; its result is not taken then.
///
/// # Errors
/// What `take` says, or if a thread cannot start.
pub(super) fn in_order<T, U, W, E>(
    items: impl Iterator<Item = T> + Send,
    workers: Vec<W>,
    work: impl Fn(&mut W, T) -> U + Sync,
    mut take: impl FnMut(U) -> Result<(), E>,
) -> Result<(), E>
where
    U: Send,
    W: Send,
    E: From<io::Error>,
{
    let queue = Mutex::new(items.enumerate());
    let (sender, results) = channel::unbounded();
    thread::scope(|scope| {
        for mut worker in workers {
            let (queue, work, sender) = (&queue, &work, sender.clone());
            let labour = move || {
                loop {
                    let next = queue.lock().next();
                    let Some((index, item)) = next else { break };
                    if sender.send((index, work(&mut worker, item))).is_err() {
                        break;
                    }
                }
            };
            // The stack is that of a thread that searches.
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, labour)?;
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut next = 0;
        for (index, result) in results {
            early.insert(index, result);
            while let Some(result) = early.remove(&next) {
                take(result)?;
                next += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_come_in_order_whoever_is_first() {
        let mut taken = Vec::new();
        let work = |_: &mut (), item: u64| {
            thread::sleep(Duration::from_millis(10 - item % 10));
            item
        };
        let result: io::Result<()> = in_order(0..50, vec![(); 4], work, |item| {
            taken.push(item);
            Ok(())
        });
        result.unwrap();
        assert_eq!(taken, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn an_error_ends_it() {
        let result = in_order(
            0..,
            vec![(); 2],
            |_, item| item,
            |item| if item < 5 { Ok(()) } else { Err(io::Error::other("enough")) },
        );
        assert_eq!(result.unwrap_err().to_string(), "enough");
    }
}
