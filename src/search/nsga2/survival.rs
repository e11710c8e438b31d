//! Survival: whole fronts while they fit, then the least crowded of the next.

use super::sort::fast_non_dominated_sort;
use crate::search::Objectives;

/// What the sort found out about one individual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Position in the slice that was sorted.
    pub index: usize,
    /// The front: 0 is the best.
    pub rank: usize,
    /// Crowding within the front, the larger the lonelier; none if no member of the front survives, because then
    /// nobody needs to know.
    pub crowding: Option<f64>,
    /// Whether the individual is in the next population.
    pub survives: bool,
}

/// NSGA-II survival (Algorithm 1, lines 13 to 17): of all individuals, the `size` best by front, and within the front
/// that does not fit whole, by crowding; a tie goes to the lower position.
///
/// `crowding` gets one front (positions, ascending) and gives its members' crowding in that order. It is asked only for
/// fronts with survivors, the best front first. The answer is in the order of positions.
pub fn survive(objectives: &[Objectives], size: usize, mut crowding: impl FnMut(&[usize]) -> Vec<f64>) -> Vec<Ranked> {
    let mut ranked: Vec<Ranked> = Vec::with_capacity(objectives.len());
    let mut places_left = size;
    for (rank, front) in fast_non_dominated_sort(objectives).into_iter().enumerate() {
        let values =
            if places_left > 0 { crowding(&front).into_iter().map(Some).collect() } else { vec![None; front.len()] };
        let mut members: Vec<Ranked> = front
            .iter()
            .zip(values)
            .map(|(&index, crowding)| Ranked { index, rank, crowding, survives: false })
            .collect();
        // Descending by crowding; `None` only where nobody survives.
        members.sort_by(|one, other| {
            let of = |each: &Ranked| each.crowding.unwrap_or(0.0);
            of(other).total_cmp(&of(one)).then(one.index.cmp(&other.index))
        });
        let surviving = places_left.min(members.len());
        members[..surviving].iter_mut().for_each(|member| member.survives = true);
        places_left -= surviving;
        ranked.extend(members);
    }
    ranked.sort_unstable_by_key(|each| each.index);
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_that_does_not_fit_is_cut_by_crowding() {
        // Front 0: 0, 1, 2 on a line. Front 1: 3, 4 and 5. Front 2: 6.
        let points = [
            [9.0, 1.0, 0.0],
            [5.0, 5.0, 0.0],
            [1.0, 9.0, 0.0],
            [8.0, 0.5, 0.0],
            [4.0, 4.0, 0.0],
            [0.5, 8.0, 0.0],
            [0.1, 0.1, 0.0],
        ]
        .map(Objectives);
        let mut asked = Vec::new();
        let ranked = survive(&points, 5, |front| {
            asked.push(front.to_vec());
            front.iter().map(|&each| if each == 3 { 0.1 } else { 0.5 }).collect()
        });
        assert_eq!(asked, [vec![0, 1, 2], vec![3, 4, 5]], "the last front is not asked about");
        let survivors: Vec<usize> = ranked.iter().filter(|each| each.survives).map(|each| each.index).collect();
        assert_eq!(survivors, [0, 1, 2, 4, 5]);
        assert_eq!(ranked.iter().map(|each| each.rank).collect::<Vec<_>>(), [0, 0, 0, 1, 1, 1, 2]);
        assert_eq!(ranked[6].crowding, None);
        assert_eq!(ranked[3].crowding, Some(0.1));
    }

    #[test]
    fn equal_crowding_is_cut_by_position() {
        let points = [Objectives([1.0, 1.0, 1.0]); 4];
        let ranked = survive(&points, 2, |front| vec![0.5; front.len()]);
        assert_eq!(ranked.iter().map(|each| each.survives).collect::<Vec<_>>(), [true, true, false, false]);
    }

    #[test]
    fn a_population_with_room_keeps_everybody() {
        let points = [Objectives([1.0, 0.0, 0.0]), Objectives([0.0, 0.0, 0.0])];
        let ranked = survive(&points, 10, |front| vec![1.0; front.len()]);
        assert!(ranked.iter().all(|each| each.survives && each.crowding == Some(1.0)));
    }
}
